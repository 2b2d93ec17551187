"""A shop whose documents are in a bucket: they are put, read, listed and checked with requests that moto
believes, are where Amazon's library finds them, and are waited for while moto is away.

    judge.py path/to/moto_server path/to/layby
"""

import hashlib
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import boto3

BUCKET, PREFIX, REGION = "documents", "of-a-shop", "eu-west-2"
# The rights that the operator's page names for the key.
MAY = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:ListBucket"]
# Number of setup calls for the user, its rights, its key and the bucket. After them keys are verified.
UNVERIFIED = 4


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def until_it_answers(port):
    for _ in range(300):
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.1)
    raise AssertionError("moto did not start")


def call(url, method, path, body=None, headers={}):
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=10)
    body = None if body is None else json.dumps(body)
    headers = {**headers, "Content-Type": "application/json"}
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


def start_moto(program, port):
    env = {**os.environ, "INITIAL_NO_AUTH_ACTION_COUNT": str(UNVERIFIED)}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    moto = subprocess.Popen([program, "-H", "127.0.0.1", "-p", str(port)], env=env, **quiet)
    until_it_answers(port)
    return moto


def make_bucket(endpoint):
    """A bucket, and a key that may do what the page says; answers the key."""
    anybody = {"aws_access_key_id": "x", "aws_secret_access_key": "x"}
    anybody |= {"endpoint_url": endpoint, "region_name": REGION}
    iam = boto3.client("iam", **anybody)
    iam.create_user(UserName="layby")
    resources = [f"arn:aws:s3:::{BUCKET}", f"arn:aws:s3:::{BUCKET}/*"]
    statement = {"Effect": "Allow", "Action": MAY, "Resource": resources}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    iam.put_user_policy(UserName="layby", PolicyName="documents", PolicyDocument=policy)
    key = iam.create_access_key(UserName="layby")["AccessKey"]
    where = {"LocationConstraint": REGION}
    boto3.client("s3", **anybody).create_bucket(Bucket=BUCKET, CreateBucketConfiguration=where)
    return key["AccessKeyId"], key["SecretAccessKey"]


class Shop:
    def __init__(self, layby, env):
        command = [layby, "serve", "--listen", "127.0.0.1:0", "--seed"]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, env=env, text=True, **pipes)
        said = ""
        while not (url := re.search(r"listening on (\S+)", said)):
            line = self.process.stdout.readline()
            assert line, f"the shop ended: {said}"
            said += line
        self.url = url[1]
        self.customer = re.search(r"^ {2}(\S+@\S+)$", said, re.M)[1]
        self.password = re.search(r"all with the password (\S+):", said)[1]
        self.log_in()

    def log_in(self):
        body = {"username": self.customer, "password": self.password}
        status, headers, _ = call(self.url, "POST", "/api/login", body)
        assert status == 200, status
        cookies = [line.split(";")[0] for line in headers.get_all("Set-Cookie")]
        self.headers = {"Cookie": next(c for c in cookies if c.startswith("layby_session="))}

    def get(self, path):
        return call(self.url, "GET", path, None, self.headers)

    def data(self, path):
        status, _, body = self.get(path)
        assert status == 200, (path, status, body)
        return json.loads(body)["data"]

    def documents(self, policy):
        groups = self.data(f"/api/v1/policy/{policy}/documents")["documents"]
        return [one for group in groups for one in group["documents"]]

    def until_ready(self, policy, seconds):
        ends = time.monotonic() + seconds
        while not all(one["is_ready"] for one in self.documents(policy)):
            assert time.monotonic() < ends, self.documents(policy)
            time.sleep(0.2)
        return self.documents(policy)


def check(layby, env, *command):
    done = subprocess.run([layby, *command], env=env, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


def main():
    moto_server, layby = sys.argv[1:]
    folder, port = tempfile.mkdtemp(prefix="layby-s3-"), free_port()
    endpoint = f"http://127.0.0.1:{port}"
    started = [start_moto(moto_server, port)]
    try:
        key_id, secret = make_bucket(endpoint)
        env = {
            "PATH": os.environ["PATH"],
            "LAYBY_SERVER__DATA": f"{folder}/data",
            "LAYBY_LOG__LEVEL": "error",
            "LAYBY_DOCUMENTS__URL": f"s3://{BUCKET}/{PREFIX}",
            "LAYBY_DOCUMENTS__S3__ENDPOINT": endpoint,
            "LAYBY_DOCUMENTS__S3__REGION": REGION,
            "LAYBY_DOCUMENTS__S3__KEY_ID": key_id,
            "LAYBY_DOCUMENTS__S3__SECRET": secret,
        }
        status, said = check(layby, env, "serve", "--check")
        assert status == 0 and f"s3://{BUCKET}/{PREFIX} answers" in said, said
        wrong = {**env, "LAYBY_DOCUMENTS__S3__SECRET": "another"}
        status, said = check(layby, wrong, "serve", "--check")
        assert status == 1 and "the place of the documents can't be used" in said, said
        assert "another" not in said, said

        shop = Shop(layby, env)
        started.append(shop.process)
        policies = [one["policy_uuid"] for one in shop.data("/api/v2/policy/list?limit=100")]
        sold = [uuid for uuid in policies if shop.get(f"/api/v1/policy/{uuid}/documents")[0] == 200]
        assert len(sold) > 1, policies
        first, second = sold[:2]
        mine = {"aws_access_key_id": key_id, "aws_secret_access_key": secret}
        s3 = boto3.client("s3", endpoint_url=endpoint, region_name=REGION, **mine)
        found = 0
        for one in shop.until_ready(first, 30):
            status, _, pdf = shop.get(f"/api/v1/documents/{one['identifier']}")
            assert status == 200 and pdf.startswith(b"%PDF"), (one, status)
            name = hashlib.sha256(pdf).hexdigest()
            kept = s3.get_object(Bucket=BUCKET, Key=f"{PREFIX}/{name[:2]}/{name}")
            assert kept["Body"].read() == pdf, one
            found += 1
        print(f"{found} documents are in the bucket, each under the SHA-256 of its bytes")
        for uuid in sold:
            shop.until_ready(uuid, 60)
        status, said = check(layby, env, "check")
        assert status == 0 and re.search(r"and \d+ documents", said), said
        print(said.strip().splitlines()[-1])

        # A lost blob stays unavailable until it is restored.
        ready = next(one for one in shop.documents(second) if one["title"] != "Policy Wording")
        path = f"/api/v1/documents/{ready['identifier']}"
        _, _, pdf = shop.get(path)
        name = hashlib.sha256(pdf).hexdigest()
        lost = f"{PREFIX}/{name[:2]}/{name}"
        s3.delete_object(Bucket=BUCKET, Key=lost)
        status, said = check(layby, env, "check")
        assert status == 1 and f"there is no content {name}" in said, said
        status, _, _ = shop.get(path)
        assert status == 503, status
        s3.put_object(Bucket=BUCKET, Key=lost, Body=pdf)
        status, _, again = shop.get(path)
        assert status == 200 and again == pdf, status
        print("a document that was lost is answered 503 until it is brought back")

        # moto is suspended, like a network that is cut.
        started[0].send_signal(19)
        begun = time.monotonic()
        status, headers, _ = shop.get(path)
        took = time.monotonic() - begun
        assert status == 503 and headers["Retry-After"], status
        assert took < 2, took
        assert call(shop.url, "GET", "/health/ready")[0] == 200
        started[0].send_signal(18)
        time.sleep(1)
        status, _, again = shop.get(path)
        assert status == 200 and again == pdf, status
        print(f"while moto said nothing, a document was answered 503 after {took:.2f} s")
    finally:
        for process in started:
            process.send_signal(18)
            process.terminate()
            process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


main()
