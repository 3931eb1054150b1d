"""Logs in with paramiko in every way, and runs commands; prints what became of it as JSON. Argument: a port of 127.0.0.1."""

import json
import os
import socket
import sys
import threading

import paramiko

port = int(sys.argv[1])


def connect(rekey_bytes=None):
    transport = paramiko.Transport(socket.create_connection(("127.0.0.1", port)))
    if rekey_bytes:
        transport.packetizer.REKEY_BYTES = rekey_bytes
    transport.start_client(timeout=20)
    return transport


def run(transport, command, data=b""):
    channel = transport.open_session()
    channel.exec_command(command)

    def write():
        channel.sendall(data)
        channel.shutdown_write()

    writer = threading.Thread(target=write)
    writer.start()
    output = channel.makefile("rb").read()
    writer.join()
    return output, channel.recv_exit_status()


def echoes(transport, size):
    data = os.urandom(size)
    return run(transport, "cat; exit 3", data) == (data, 3)


result = {}
transport = connect()
transport.auth_interactive("ann", lambda title, text, prompts: ["code"])
result["questions"] = transport.is_authenticated()
transport.close()
transport = connect()
try:
    transport.auth_publickey("ann", paramiko.ECDSAKey.generate())
except paramiko.AuthenticationException:
    transport.auth_password("ann", "right", fallback=False)
result["password after a key"] = transport.is_authenticated()
transport.close()
for key in (paramiko.ECDSAKey.generate(), paramiko.RSAKey.generate(2048)):
    transport = connect()
    transport.auth_publickey("key", key)
    result[key.get_name()] = transport.is_authenticated()
    transport.close()
transport = connect(rekey_bytes=1_000_000)
transport.auth_password("ann", "right", fallback=False)
result["late exit"] = run(transport, "exec >&- 2>&-; sleep 0.3; exit 9")[1]
result["long command"] = int(run(transport, f"echo {'x' * 100_000} | wc -c")[0])
result["bulk"] = echoes(transport, 20_000_000)
transport.close()
# Its thread waits for itself where a channel is closed while it has asked for new keys: here only the server asks.
transport = connect()
transport.auth_password("ann", "right", fallback=False)
many = []
threads = [threading.Thread(target=lambda: many.append(echoes(transport, 100_000))) for _ in range(12)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
result["channels"] = many.count(True)
transport.close()
print(json.dumps(result))
