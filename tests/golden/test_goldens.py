"""A few recorded runs, on the kernels that give the same bits on every machine.

Laws say what is right; these say that nothing changed. Record them anew, when a change is meant,
with ``pytest tests/golden --overwrite-goldens``.
"""

import json
from pathlib import Path

import pytest

from banditcd import minimize
from tests.instances import ACCELERATED, INSTANCES, SELECTORS

FOLDER = Path(__file__).parent
BY_NAME = {instance.name: instance for instance in INSTANCES}
GOLDENS = [
    ("lasso", "b_max_r"),
    ("lasso-options", "shuffled"),
    ("elastic-net", "sqrt_r"),
    ("logistic-l1", "b_max_r"),
    ("hinge-dual-sparse", "acf"),
    ("logistic-dual", "max_r"),
    ("elastic-net-dual", "calendar"),
    ("ridge-dual", "nuacdm"),
]


@pytest.mark.parametrize(("name", "selector"), GOLDENS)
def test_the_recorded_run_is_repeated(name, selector, portable_kernels, request):
    part = {**SELECTORS, **ACCELERATED}[selector]
    result = minimize(
        BY_NAME[name].problem, part, max_epochs=6, tol=1e-12, random_state=42, trace="epoch"
    )
    columns = json.loads(result.trace.to_json())
    del columns["seconds"]
    record = {"status": str(result.status), "x": result.x.tolist(), **columns}
    path = FOLDER / f"{name}-{selector}.json"
    if request.config.getoption("--overwrite-goldens"):
        path.write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    golden = json.loads(path.read_text("utf-8"))
    assert record.keys() == golden.keys()
    assert record["status"] == golden["status"]
    for key in ("step", "support"):
        assert record[key] == golden[key]
    for key in record.keys() - {"status", "step", "support"}:
        # The mathematics library may differ in the last bits; nothing else may.
        assert record[key] == pytest.approx(golden[key], rel=1e-9, abs=1e-13), key
