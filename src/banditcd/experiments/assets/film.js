// Steps through the frames of the films: a slider, and a button that moves it.
(() => {
  "use strict";
  const STEP = 250; // milliseconds
  for (const film of document.querySelectorAll(".film")) {
    const data = JSON.parse(film.querySelector("script").textContent);
    const bars = film.querySelector(".bars");
    const [rates, gains] = ["rate", "gain"].map((kind) => [...bars.querySelectorAll(`.${kind}`)]);
    const says = bars.querySelector(".says");
    const cursors = [...film.querySelectorAll(".cursor")];
    const slider = film.querySelector("input");
    const button = film.querySelector("button");
    const room = Number(bars.dataset.room);
    const middle = Number(bars.dataset.middle);
    const last = data.pool.length - 1;
    let timer = null;

    const show = (frame) => {
      data.rate[frame].forEach((rate, row) => {
        const width = room * Math.min(rate / data.top, 1);
        rates[row].setAttribute("x", middle - 1 - width);
        rates[row].setAttribute("width", width);
        gains[row].setAttribute("width", room * Math.min(data.gain[frame][row] / data.top, 1));
      });
      for (const cursor of cursors) {
        const edges = cursor.dataset.edges.split(" ");
        const [, top, bottom] = cursor.getAttribute("d").match(/M[\d.]+ ([\d.]+)V([\d.]+)/);
        cursor.setAttribute("d", `M${edges[frame]} ${top}V${bottom}H${edges[frame + 1]}V${top}Z`);
      }
      const [from, to] = [data.epoch[frame], data.epoch[frame + 1]];
      says.textContent = `epochs ${from} to ${to}: ${data.pool[frame]} of ${data.d} coordinates got 80% of the steps`;
    };
    const stop = () => {
      clearInterval(timer);
      timer = null;
      button.textContent = "play";
    };
    slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
    button.addEventListener("click", () => {
      if (timer !== null) { stop(); return; }
      if (Number(slider.value) === last) slider.value = "0";
      show(Number(slider.value));
      button.textContent = "pause";
      timer = setInterval(() => {
        if (Number(slider.value) >= last) { stop(); return; }
        slider.value = String(Number(slider.value) + 1);
        show(Number(slider.value));
      }, STEP);
    });
    film.querySelector(".steer").hidden = false;
  }
})();
