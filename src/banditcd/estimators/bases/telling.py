"""The certificate of a fitted estimator in words: a line of ``verbose``, a line in a notebook."""

from __future__ import annotations

import math
import sys
from html import escape
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
    worst = max(found, key=lambda certificate: certificate.excess)
    several = "" if len(found) == 1 else f" (worst of {len(found)})"
    gap = f"gap {worst.gap:.2g}" if math.isfinite(worst.gap) else "no finite gap"
    seconds = sum(certificate.seconds for certificate in found)
    steps = sum(certificate.n_iter for certificate in found)
    return (
        f"{worst.status}{several}: {gap} of the {worst.target:.2g} asked for, objective "
        f"{worst.primal:.8g}, {steps:,} iteration{'s' if steps != 1 else ''}, {seconds:.3g} s "
        f"({worst.regime})"
    )


def tell_fit(estimator: Any) -> None:
    """Write the certificate to standard error."""
    line = certificate_line(estimator)
    if line:
        sys.stderr.write(f"banditcd: {type(estimator).__name__} {line}\n")
        sys.stderr.flush()


def certificate_html(estimator: Any) -> str:
    """Return the certificate below the diagram of an estimator; "" if there is none."""
    line = certificate_line(estimator)
    return f"<p><b>Certificate</b> {escape(line)}</p>" if line else ""
