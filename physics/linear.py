"""Linear programmes, solved by HiGHS: the small, often repeated kind that statics needs."""

from __future__ import annotations

from typing import NamedTuple

import highspy
import numpy as np
from numpy.typing import NDArray

from meshes.errors import StakdError
from physics.pose import Vector

_TOLERANCE = 1e-9


class Columns(NamedTuple):
    """A sparse matrix by columns: entries `start[j]` to `start[j + 1]` of `row` and `value` are column j."""

    start: NDArray[np.int32]
    row: NDArray[np.int32]
    value: Vector

    @property
    def size(self) -> int:
        """Number of columns."""
        return len(self.start) - 1

    def extended(self, rows: NDArray[np.int32], values: Vector) -> Columns:
        """These and further columns, each with entries in the same rows: (k,) rows, (columns, k) values."""
        start = self.start[-1] + len(rows) * np.arange(1, len(values) + 1, dtype=np.int32)
        return Columns(
            np.concatenate([self.start, start]), np.concatenate([self.row, np.tile(rows, len(values))]), np.concatenate([self.value, values.ravel()])
        )


class Solution(NamedTuple):
    """`value` of the objective and the price `dual` of each row. An unbounded programme has value −∞ and no duals."""

    value: float
    dual: Vector


class Unsolved(StakdError):
    """The solver gave up on a programme; `status` is its word for why."""

    def __init__(self, status: str) -> None:
        self.status = status
        super().__init__(f"the linear solver ended with '{status}'; positions or masses may differ by too many orders of magnitude")


class Programme:
    """Minimise cost · x over matrix · x = right, x ≥ 0 (the last `free` variables may be negative).

    Solving again after a change starts from the last answer, which makes small changes cheap.
    """

    def __init__(self, columns: Columns, cost: Vector, right: Vector, *, free: int = 0) -> None:
        self._free = free
        self._solver = _Quiet()  # type: ignore[no-untyped-call]
        for option, setting in _OPTIONS.items():
            self._solver.setOptionValue(option, setting)
        self._pass(columns, cost, right)

    def revise(self, columns: Columns, cost: Vector, right: Vector) -> None:
        """Other numbers in a programme of the same form; the next solve starts from the last answer."""
        basis = self._solver.getBasis()
        self._pass(columns, cost, right)
        self._solver.setBasis(basis)

    def set_right(self, rows: NDArray[np.int32], values: Vector) -> None:
        """Change the right side of some rows."""
        for row, value in zip(rows.tolist(), values.tolist(), strict=True):
            self._solver.changeRowBounds(row, value, value)

    def set_costs(self, columns: NDArray[np.int32], values: Vector) -> None:
        """Change the cost of some variables."""
        self._solver.changeColsCost(len(columns), columns, values)

    def solve(self) -> Solution:
        """The best value; raises `Unsolved`. A programme without any x is a fault of the caller and ends as `Unsolved` too.

        What fails is tried once more from scratch, with the solver's own protection against going in circles.
        """
        self._solver.run()
        status = self._solver.getModelStatus()
        if status != highspy.HighsModelStatus.kOptimal and status != highspy.HighsModelStatus.kUnbounded:
            self._solver.clearSolver()
            self._solver.setOptionValue("dual_simplex_cost_perturbation_multiplier", 1.0)
            self._solver.run()
            status = self._solver.getModelStatus()
        if status == highspy.HighsModelStatus.kUnbounded:
            return Solution(-np.inf, np.empty(0))
        if status != highspy.HighsModelStatus.kOptimal:
            raise Unsolved(self._solver.modelStatusToString(status))
        return Solution(self._solver.getObjectiveValue(), np.array(self._solver.getSolution().row_dual))

    def variables(self) -> Vector:
        """The x of the last answer; apart, as there are many and they are seldom wanted."""
        return np.array(self._solver.getSolution().col_value)

    def _pass(self, columns: Columns, cost: Vector, right: Vector) -> None:
        count = len(cost)
        lower = np.zeros(count)
        lower[count - self._free :] = -np.inf
        unbounded, all_real = np.full(count, np.inf), np.zeros(count, dtype=np.int32)
        size = (count, len(right), len(columns.value), int(highspy.MatrixFormat.kColwise), int(highspy.ObjSense.kMinimize))
        # The form that takes arrays: a HighsLp is filled number by number, which takes ten times as long.
        self._solver.passModel(*size, 0.0, cost, lower, unbounded, right, right, columns.start, columns.row, columns.value, all_real)


class _Quiet(highspy.Highs):
    """A solver that says nothing: the stock one greets on standard output while it sets up callbacks, which nobody here uses."""

    def enableCallbacks(self) -> None:  # noqa: N802
        self.setOptionValue("output_flag", False)


_OPTIONS: dict[str, bool | int | str | float] = {
    "output_flag": False,
    "presolve": "off",  # costs more than these programmes do, and forbids a warm start
    "dual_simplex_cost_perturbation_multiplier": 0.0,  # a tenth fewer steps here without
    "simplex_iteration_limit": 50_000,
    "threads": 1,
    "primal_feasibility_tolerance": _TOLERANCE,
    "dual_feasibility_tolerance": _TOLERANCE,
}
