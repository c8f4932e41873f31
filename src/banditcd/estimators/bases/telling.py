"""The certificate of a fitted estimator in words: a line of ``verbose``, a line in a notebook."""

from __future__ import annotations

import math
import sys
from types import SimpleNamespace
from typing import Any

from banditcd.estimators.backends.certificate import FitCertificate


def certificates_of(estimator: Any) -> list[FitCertificate]:
    """Return the certificates, one for each class or response; none if there is no fit."""
    found = vars(estimator).get("certificate_")
    if found is None:
        return []
    return list(found) if isinstance(found, list | tuple) else [found]


def certificate_line(estimator: Any) -> str:
    """Return gap, target, iterations and time of the worst certificate; "" if there is none."""
    found = certificates_of(estimator)
    if not found:
        return ""
    worst = _worst(found)
    seconds = sum(certificate.seconds for certificate in found)
    steps = sum(certificate.n_iter for certificate in found)
    return (
        f"{_gap_reached(found)}, objective {worst.primal:.8g}, {steps:,} "
        f"iteration{'s' if steps != 1 else ''}, {seconds:.3g} s ({worst.regime})"
    )


def _worst(found: list[FitCertificate]) -> FitCertificate:
    """Return the certificate farthest above its target."""
    return max(found, key=lambda certificate: certificate.excess)


def _gap_reached(found: list[FitCertificate]) -> str:
    """Return status, gap and target of the worst certificate."""
    worst = _worst(found)
    several = "" if len(found) == 1 else f" (worst of {len(found)})"
    gap = f"gap {worst.gap:.2g}" if math.isfinite(worst.gap) else "no finite gap"
    return f"{worst.status}{several}: {gap} of the {worst.target:.2g} asked for"


def tell_fit(estimator: Any) -> None:
    """Write the certificate to standard error."""
    line = certificate_line(estimator)
    if line:
        sys.stderr.write(f"banditcd: {type(estimator).__name__} {line}\n")
        sys.stderr.flush()


def diagram_box(estimator: Any) -> SimpleNamespace:
    """Return the box of an estimator in scikit-learn's diagrams, its certificate as a caption.

    A fitted Pipeline or search draws a box for each estimator in it. It asks the estimator for the
    box (``_sk_visual_block_``, from scikit-learn 1.6 to 1.9) and reads these attributes of it,
    which are those of a private class of scikit-learn: only the attributes are relied upon. A
    stack or a vote draws the estimators that it was given, which are not fitted.
    """
    found = certificates_of(estimator)
    return SimpleNamespace(
        kind="single",
        estimators=estimator,
        names=type(estimator).__name__,
        name_details=str(estimator),
        name_caption=f"Certificate {_gap_reached(found)}" if found else None,
        doc_link_label=None,
        dash_wrapped=True,
    )
