"""localstripe, a Stripe that somebody else wrote, signs webhooks: the shop believes them with its
secret and refuses them with another.

    localstripe.py path/to/localstripe path/to/layby

localstripe has no Checkout Sessions, so nothing can be bought through it. Other doubles speak less of
what the shop needs: emulate 0.11.2 takes prices made beforehand only (the shop sends the amount), and its
events have no id; stripe-stateful-mock has neither sessions nor payment intents.
"""

import http.client
import http.server
import json
import os
import queue
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

OURS, OTHER = "whsec_ours", "whsec_other"
relayed = queue.Queue()


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def call(port, method, path, body=None, headers={}):
    connection = http.client.HTTPConnection("localhost", port, timeout=10)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


class Relay(http.server.BaseHTTPRequestHandler):
    """Hands webhooks on to the shop as they came, and notes what it answered."""

    shop = 0

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {"Stripe-Signature": self.headers["Stripe-Signature"]}
        path = "/api/v1/gateway/stripe/callback"
        status, answer = call(Relay.shop, "POST", path, body, headers)
        relayed.put((self.path, json.loads(body)["type"], status, answer))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


def until_it_answers(port):
    for _ in range(100):
        try:
            return socket.create_connection(("localhost", port)).close()
        except OSError:
            time.sleep(0.1)
    raise AssertionError("localstripe did not start")


def main():
    localstripe, layby = sys.argv[1:]
    stripe, folder = free_port(), tempfile.mkdtemp(prefix="layby-localstripe-")
    settings = {
        "PATH": os.environ["PATH"],
        "LAYBY_SERVER__DATA": f"{folder}/data",
        "LAYBY_LOG__LEVEL": "error",
        "LAYBY_PAYMENTS__GATEWAYS": "stripe",
        "LAYBY_PAYMENTS__STRIPE__TEST": "true",
        "LAYBY_PAYMENTS__STRIPE__SECRET_KEY": "sk_test_12345",
        "LAYBY_PAYMENTS__STRIPE__WEBHOOK_SECRETS": OURS,
        "LAYBY_PAYMENTS__STRIPE__API_URL": f"http://127.0.0.1:{stripe}",
    }
    started = []
    try:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        # It keeps its state in the temporary folder.
        env = {**os.environ, "TMPDIR": folder}
        command = [localstripe, "--port", str(stripe), "--from-scratch"]
        started.append(subprocess.Popen(command, env=env, **quiet))
        command = [layby, "serve", "--listen", "127.0.0.1:0"]
        shop = subprocess.Popen(command, env=settings, stdout=subprocess.PIPE, text=True)
        started.append(shop)
        Relay.shop = int(shop.stdout.readline().strip().rsplit(":", 1)[1])
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Relay)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        until_it_answers(stripe)
        for name, secret in [("ours", OURS), ("other", OTHER)]:
            hook = {"url": f"http://127.0.0.1:{server.server_port}/{name}", "secret": secret, "events": None}
            kind = {"Content-Type": "application/json"}
            status, _ = call(stripe, "POST", f"/_config/webhooks/{name}", json.dumps(hook), kind)
            assert status == 200, status
        for card in ["pm_card_visa", "pm_card_chargeCustomerFail"]:
            form = {"amount": 4999, "currency": "gbp", "payment_method": card, "confirm": "true"}
            headers = {
                "Authorization": "Bearer sk_test_12345",
                "Content-Type": "application/x-www-form-urlencoded",
            }
            call(stripe, "POST", "/v1/payment_intents", urllib.parse.urlencode(form), headers)
        seen = set()
        for _ in range(4):
            path, kind, status, answer = relayed.get(timeout=15)
            wanted = 200 if path == "/ours" else 400
            assert status == wanted, (path, kind, status, answer)
            seen.add((path, kind))
        kinds = {"payment_intent.succeeded", "payment_intent.payment_failed"}
        assert seen == {(path, kind) for path in ["/ours", "/other"] for kind in kinds}, seen
        print("localstripe's webhooks are believed with our secret and refused with another")
    finally:
        for process in started:
            process.terminate()
            process.wait(10)


main()
