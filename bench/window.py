"""Is the window quick enough? On software OpenGL and two cores, 66 pieces, 1280 × 720."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from bench.finding import Benchmark, Finding, at_most
from bench.towers import full_tower
from viewer.context import headless_context
from viewer.fitting import fitted_camera
from viewer.items import tower_items
from viewer.stage import Stage

SIZE = (1280, 720)
PIECES, SMOKE_PIECES = 66, 10
FRAMES, SMOKE_FRAMES = 60, 8
PANELS_MS = 12.0
"""What a frame's panels and putting it all together take besides."""
MOVING_MS, CAMERA_MS, SLICE_MS, REST_MS = 50.0, 35.0, 60.0, 3000.0
_REST_S = 0.15


def stage_speed(smoke: bool) -> Iterator[Finding]:
    """Pictures while the camera, or every piece, moves, and refining the picture at rest, each with the panels' time left over."""
    tower = full_tower(SMOKE_PIECES if smoke else PIECES, 349)
    items, frames = tower_items(tower), SMOKE_FRAMES if smoke else FRAMES
    with headless_context() as context:
        stage = Stage(context, tower.piece_set)
        stage.camera = fitted_camera(tower, SIZE)
        stage.show(items)

        def turn(number: int) -> None:
            stage.camera = replace(stage.camera, azimuth_deg=float(number))

        def shake(number: int) -> None:
            stage.show([replace(item, pose=replace(item.pose, z=item.pose.z + 0.1 * number)) for item in items])

        for what, change, limit in (("camera", turn, CAMERA_MS), ("all pieces", shake, MOVING_MS)):
            took = [_frame_ms(stage, change, number) for number in range(frames)]
            share = stage.texture.size[0] / SIZE[0]
            yield at_most(f"{what} moving, at {share:.2f} of the size", statistics.median(took[frames // 3 :]), "ms", limit - PANELS_MS)
        slices = _refining_ms(stage)
        yield at_most("longest step of refining", max(slices), "ms", SLICE_MS)
        yield at_most("from rest to full quality", 1000 * _REST_S + sum(slices) + PANELS_MS * len(slices), "ms", REST_MS)
        stage.release()


def _frame_ms(stage: Stage, change: Callable[[int], None], number: int) -> float:
    start = time.perf_counter()
    change(number)
    stage.render(SIZE, now=start)
    return 1000 * (time.perf_counter() - start)


def _refining_ms(stage: Stage) -> list[float]:
    """Time of each step of the second refining: in the first one shaders are built."""
    steps: list[float] = []
    for _ in range(2):
        stage.camera, steps, more = replace(stage.camera, azimuth_deg=stage.camera.azimuth_deg + 1), [], True
        stage.render(SIZE, now=time.perf_counter())
        while more:
            start = time.perf_counter()
            more = stage.render(SIZE, now=start + 1.0, moving=False)
            steps.append(1000 * (time.perf_counter() - start))
    return steps


BENCHMARKS = (Benchmark("stage", "Is the 3D picture of a window quick enough, panels left aside?", stage_speed),)
