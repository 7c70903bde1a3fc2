# SPDX-License-Identifier: Apache-2.0
"""A page in headless Chromium, driven by its debugging protocol over two pipes."""
import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time


def program():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    def __init__(self, url, width=1400, height=800):
        self.folder = tempfile.TemporaryDirectory()
        to_read, self.output = os.pipe()
        self.input, to_write = os.pipe()

        def place_pipes():
            first, second = os.dup(to_read), os.dup(to_write)  # 3 and 4 may be taken
            os.dup2(first, 3)
            os.dup2(second, 4)

        words = [program(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                 "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}", f"--window-size={width},{height}", "about:blank"]
        self.process = subprocess.Popen(words, preexec_fn=place_pipes, close_fds=False, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(to_read)
        os.close(to_write)
        self.bytes, self.number, self.session, self.errors = b"", 0, None, []
        try:
            self.open(url)
        except Exception:
            self.close()
            raise

    def open(self, url):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Runtime.enable")
        self.call("Page.enable")
        began = time.monotonic()
        self.call("Page.navigate", url=url)
        while self.value("document.body && document.body.dataset.ready") != "yes" and time.monotonic() < began + 60:
            time.sleep(0.02)
        self.opened_after = time.monotonic() - began

    def message(self, deadline):
        while b"\0" not in self.bytes:
            if not select.select([self.input], [], [], max(deadline - time.monotonic(), 0))[0]:
                raise TimeoutError("Chromium does not answer")
            part = os.read(self.input, 1 << 20)
            if not part:
                raise EOFError("Chromium has ended")
            self.bytes += part
        text, _, self.bytes = self.bytes.partition(b"\0")
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session is not None:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + 60
        while True:
            answer = self.message(deadline)
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(answer["params"]["exceptionDetails"])
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(answer["error"])
                return answer["result"]

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def frame(self):
        """Waits until what was asked for is drawn; milliseconds of drawing."""
        return self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(state.frameMs))))")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def picture(self):
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def close(self):
        group = self.process.pid
        os.killpg(group, signal.SIGKILL)
        self.process.wait()
        os.close(self.output)
        os.close(self.input)
        self.wait_for_group(group)
        self.folder.cleanup()

    @staticmethod
    def wait_for_group(group):
        """Its other processes write into the folder until they are gone."""
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            try:
                os.killpg(group, 0)
            except ProcessLookupError:
                return
            time.sleep(0.01)
