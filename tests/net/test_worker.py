"""Work off the loop: results, faults, and a job that hangs."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from pipeline.net.worker import Worker


def run(coroutine):
    return asyncio.run(coroutine)


def test_results_and_faults_come_back():
    def fail():
        raise KeyError("x")

    async def main():
        worker, until = Worker("w"), asyncio.get_running_loop().time() + 2
        assert await worker.run(lambda: 7, until=until) == 7
        with pytest.raises(KeyError):
            await worker.run(fail, until=until)
        worker.close()

    run(main())


def test_usually_one_thread_does_all():
    names = []

    async def main():
        worker, until = Worker("w"), asyncio.get_running_loop().time() + 2
        await asyncio.gather(*(worker.run(lambda: names.append(threading.get_ident()), until=until) for _ in range(20)))
        worker.close()

    run(main())
    assert len(set(names)) == 1


def test_a_job_that_hangs_holds_up_neither_the_others_nor_the_end():
    async def main():
        worker, now = Worker("w"), asyncio.get_running_loop().time()
        hangs = asyncio.create_task(worker.run(lambda: time.sleep(5), until=now + 1))
        await asyncio.sleep(0.01)
        assert await worker.run(lambda: "read", until=now + 2) == "read"
        with pytest.raises(TimeoutError):
            await hangs
        worker.close()

    started = time.monotonic()
    run(main())
    assert time.monotonic() - started < 2


def test_what_was_left_behind_is_done_after_closing():
    done = threading.Event()

    async def main():
        worker = Worker("w")
        worker.later(done.set)
        worker.close()

    run(main())
    assert done.wait(2)
