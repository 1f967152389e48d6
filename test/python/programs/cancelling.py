"""Cancels tasks of AsyncMayfly against the server or the mock. Each line is a step that ended."""

from __future__ import annotations

import asyncio
import time

from mayfly import AsyncMayfly, Email, MayflyError, MayflyTimeoutError


async def is_cancelled(task: asyncio.Task[object]) -> bool:
    """Whether a task ends with its cancellation, and at once."""
    began = time.monotonic()
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        return time.monotonic() - began < 60  # the call takes ten times as long
    return False


async def main() -> None:
    async with AsyncMayfly(max_threads=2) as mayfly:
        inbox = await mayfly.inboxes.create()

        async def wait(number: int) -> Email:
            return await mayfly.emails.wait_for(address_id=inbox.id, subject=f'never {number}', timeout=600)

        tasks = [asyncio.create_task(wait(number)) for number in range(5)]
        await asyncio.sleep(0)  # all begin; three of them wait for a thread
        assert all([await is_cancelled(task) for task in tasks])
        print('cancelled waits')

        # both threads are free again
        addresses = await asyncio.wait_for(asyncio.gather(*(mayfly.addresses.get(inbox.id) for _ in range(8))), 60)
        assert len(addresses) == 8
        print('threads are free')

        async def follow() -> None:
            async for event in mayfly.events.subscribe():
                raise AssertionError(event)

        following = asyncio.create_task(follow())
        await asyncio.sleep(0)
        assert await is_cancelled(following)
        print('cancelled a subscription')

        try:
            await inbox.wait_for(timeout=0.2)
        except MayflyTimeoutError as error:
            assert 'No other mail arrived' in str(error), error
            print('timed out')
        await inbox.delete()

        left = asyncio.create_task(wait(6))
        await asyncio.sleep(0)
    try:
        await asyncio.wait_for(left, 60)
    except MayflyError:
        print('closed')
    try:
        await mayfly.addresses.list()
    except MayflyError as error:
        print(error)

    # the program ends without the end of this wait, which would take ten minutes
    abandoned = AsyncMayfly()
    inbox = await abandoned.inboxes.create()
    waiting = asyncio.create_task(abandoned.emails.wait_for(address_id=inbox.id, timeout=600))
    await asyncio.sleep(0)
    print('left', waiting.done())


asyncio.run(main())
