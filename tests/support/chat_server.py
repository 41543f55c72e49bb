"""A server of the tests' own that speaks the protocol of chat completions, well or badly."""

import asyncio
import json
import re
import sys
import threading
from contextlib import contextmanager

MOVE = re.compile(r"^1\. (\S+)$", re.MULTILINE)


def good(prompt, count):
    """Plays the first move of the list, and suspects all alike."""
    if "how likely" in prompt:
        return 200, '{"0": 0.5, "1": 0.5, "2": 0.5, "3": 0.5, "4": 0.5}'
    return 200, f"I dig.\n{MOVE.findall(prompt)[0]}"


def last_good(prompt, count):
    """As `good`, where a conversation grows: the last list counts."""
    return 200, MOVE.findall(prompt)[-1]


def talkative(prompt, count):
    """As `good`, with a message to all."""
    return 200, f"I dig.\nsay: <b>I am honest.</b>\n{MOVE.findall(prompt)[0]}"


def lying(prompt, count):
    return 200, "NESW@99,99"


def limited(prompt, count):
    """Refuses every other request for its rate."""
    return (429, "slow down") if count % 2 else good(prompt, count)


def broken(prompt, count):
    return 500, "oops"


def garbled(prompt, count):
    return 200, None


def refusing(prompt, count):
    return 401, "who are you"


def second_thoughts(prompt, count):
    """Cannot be read the first time that it is asked."""
    return (200, "hm") if "Answer again" not in prompt else good(prompt, count)


class Server:
    def __init__(self, behaviour, delay=0.0):
        self.behaviour, self.delay, self.asked = behaviour, delay, []

    async def serve(self, reader, writer):
        try:
            while line := await reader.readline():
                await self._answer(line, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _answer(self, line, reader, writer):
        length = 0
        while (line := await reader.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        body = json.loads(await reader.readexactly(length))
        self.asked.append(body)
        await asyncio.sleep(self.delay)
        prompt = "\n".join(message["content"] for message in body["messages"])
        status, text = self.behaviour(prompt, len(self.asked))
        reply = json.dumps(completion(text) if status == 200 else {"error": {"message": text}}).encode()
        head = f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nretry-after-ms: 1\r\n"
        writer.write(f"{head}content-length: {len(reply)}\r\n\r\n".encode() + reply)
        await writer.drain()


def completion(text):
    if text is None:
        return {"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": []}
    message = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    whole = {"id": "x", "object": "chat.completion", "created": 0, "model": "m"}
    return {**whole, "choices": [message], "usage": usage}


@contextmanager
def serving(behaviour, delay=0.0):
    """A server in a thread: the address, and the server with what it was asked."""
    server, loop, ready, address = Server(behaviour, delay), asyncio.new_event_loop(), threading.Event(), []

    async def run():
        ended.append(asyncio.Event())
        listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
        address.append(f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/v1")
        ready.set()
        await ended[0].wait()
        listening.close()
        rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    ended = []
    thread = threading.Thread(target=lambda: loop.run_until_complete(run()), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield address[0], server
    finally:
        loop.call_soon_threadsafe(ended[0].set)
        thread.join()
        loop.close()


async def main(delay):
    listening = await asyncio.start_server(Server(good, delay).serve, "127.0.0.1", 0)
    print(listening.sockets[0].getsockname()[1], flush=True)
    await listening.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1])))
