// The figures are plain SVG and need no script; this adds legend toggling and hovering.
(() => {
  "use strict";
  const tip = document.getElementById("tip");
  const curves = [...document.querySelectorAll(".curve")];
  const hidden = new Set();

  const named = (name) => curves.filter((curve) => curve.dataset.selector === name);

  const focus = (name) => {
    document.body.classList.toggle("focus", name !== null);
    for (const curve of curves) curve.classList.toggle("on", curve.dataset.selector === name);
  };

  // Legend entries become buttons: a click hides or shows, a double click shows one alone.
  const entries = [...document.querySelectorAll(".legend [data-selector]")].map((entry) => {
    const button = document.createElement("button");
    button.type = "button";
    button.innerHTML = entry.innerHTML;
    button.dataset.selector = entry.dataset.selector;
    if ("later" in entry.dataset) button.dataset.later = "";
    button.title = "Click to hide or show, double click to show alone";
    entry.replaceWith(button);
    return button;
  });

  const refresh = () => {
    for (const button of entries) {
      const off = hidden.has(button.dataset.selector);
      button.setAttribute("aria-pressed", String(!off));
      for (const curve of named(button.dataset.selector)) curve.classList.toggle("off", off);
    }
  };

  // A few curves are shown at first; the others, and their entries, are one click away.
  const later = entries.filter((button) => "later" in button.dataset);
  if (later.length > 0) {
    const more = document.createElement("button");
    more.type = "button";
    more.className = "more";
    const expand = (all) => {
      for (const button of later) {
        button.hidden = !all;
        if (all) hidden.delete(button.dataset.selector);
        else hidden.add(button.dataset.selector);
      }
      more.textContent = all ? `only ${entries.length - later.length}` : `${later.length} more`;
      more.setAttribute("aria-expanded", String(all));
      refresh();
    };
    more.addEventListener("click", () => expand(more.getAttribute("aria-expanded") === "false"));
    later[0].parentElement.append(more);
    expand(false);
  }

  for (const button of entries) {
    const name = button.dataset.selector;
    button.addEventListener("click", () => {
      if (!hidden.delete(name)) hidden.add(name);
      focus(null);
      refresh();
    });
    button.addEventListener("dblclick", () => {
      const alone = hidden.size === entries.length - 1 && !hidden.has(name);
      hidden.clear();
      const alike = (other) => !alone || other.hidden;
      for (const other of entries.filter(alike)) hidden.add(other.dataset.selector);
      hidden.delete(name);
      refresh();
    });
    button.addEventListener("mouseenter", () => { if (!hidden.has(name)) focus(name); });
    button.addEventListener("mouseleave", () => focus(null));
  }
  refresh();

  // Hovering: the nearest point of the nearest curve, read back from the drawing.
  const numbers = (text) => text.split(" ").map(Number);
  const points = new WeakMap();
  const pointsOf = (curve) => {
    if (!points.has(curve)) {
      const d = curve.querySelector(".line").getAttribute("d").slice(1);
      points.set(curve, d.split("L").map(numbers));
    }
    return points.get(curve);
  };
  const value = ([low, high, start, end], pixel) =>
    10 ** (low + ((pixel - start) / (end - start)) * (high - low));
  const short = (v) => (v >= 1e5 || v < 1e-3 ? v.toExponential(1) : String(Number(v.toPrecision(3))));
  const spent = (unit, v) => {
    if (unit !== "seconds") return short(v) + (unit === "epoch" ? " epochs" : " passes of work");
    if (v >= 1) return short(v) + " s";
    return v >= 1e-3 ? short(v * 1e3) + " ms" : short(v * 1e6) + " µs";
  };

  const nearest = (svg, px, py) => {
    let best = null;
    for (const curve of svg.querySelectorAll(".curve:not(.off)")) {
      const list = pointsOf(curve);
      for (let k = 0; k < list.length; k += 1) {
        const [ax, ay] = list[Math.max(k - 1, 0)];
        const [bx, by] = list[k];
        const length = (bx - ax) ** 2 + (by - ay) ** 2;
        const t = length > 0 ? Math.min(1, Math.max(0, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length)) : 0;
        const x = ax + t * (bx - ax);
        const y = ay + t * (by - ay);
        const distance = Math.hypot(px - x, py - y);
        if (best === null || distance < best.distance) best = { distance, x, y, curve };
      }
    }
    return best;
  };

  const leave = () => { tip.hidden = true; focus(null); };

  const move = (svg, event) => {
    const box = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / box.width;
    const hit = nearest(svg, (event.clientX - box.left) * scale, (event.clientY - box.top) * scale);
    if (hit === null || hit.distance > 26) { leave(); return; }
    const what = svg.dataset.what === "gap" ? "duality gap" : "suboptimality";
    const x = spent(svg.dataset.unit, value(numbers(svg.dataset.x), hit.x));
    const y = short(value(numbers(svg.dataset.y), hit.y));
    const name = document.createElement("b");
    name.textContent = hit.curve.dataset.selector;
    tip.replaceChildren(name, `${what} ${y} after ${x}`);
    tip.hidden = false;
    const left = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8);
    tip.style.left = `${Math.max(8, left)}px`;
    tip.style.top = `${Math.max(8, event.clientY - tip.offsetHeight - 12)}px`;
    focus(hit.curve.dataset.selector);
  };

  for (const svg of document.querySelectorAll(".panel svg")) {
    svg.addEventListener("pointermove", (event) => move(svg, event));
    svg.addEventListener("pointerdown", (event) => move(svg, event));
    svg.addEventListener("pointerleave", leave);
  }
})();
