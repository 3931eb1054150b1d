"""
Logs in with libssh in every way, and runs commands; prints what became of it as JSON. Arguments: a port of 127.0.0.1, and methods of key exchange
with commas between them, of which those are tried that libssh knows.
"""

import ctypes
import json
import sys
from ctypes import POINTER, byref, c_bool, c_char_p, c_int, c_long, c_uint, c_uint64, c_void_p

ssh = ctypes.CDLL("libssh.so.4")
for name, answer, arguments in (
    ("ssh_new", c_void_p, []),
    ("ssh_free", None, [c_void_p]),
    ("ssh_options_set", c_int, [c_void_p, c_int, c_void_p]),
    ("ssh_connect", c_int, [c_void_p]),
    ("ssh_disconnect", None, [c_void_p]),
    ("ssh_get_error", c_char_p, [c_void_p]),
    ("ssh_get_kex_algo", c_char_p, [c_void_p]),
    ("ssh_pki_generate", c_int, [c_int, c_int, POINTER(c_void_p)]),
    ("ssh_userauth_password", c_int, [c_void_p, c_char_p, c_char_p]),
    ("ssh_userauth_publickey", c_int, [c_void_p, c_char_p, c_void_p]),
    ("ssh_userauth_kbdint", c_int, [c_void_p, c_char_p, c_char_p]),
    ("ssh_userauth_kbdint_getnprompts", c_int, [c_void_p]),
    ("ssh_userauth_kbdint_setanswer", c_int, [c_void_p, c_uint, c_char_p]),
    ("ssh_channel_new", c_void_p, [c_void_p]),
    ("ssh_channel_free", None, [c_void_p]),
    ("ssh_channel_open_session", c_int, [c_void_p]),
    ("ssh_channel_request_exec", c_int, [c_void_p, c_char_p]),
    ("ssh_channel_request_pty_size", c_int, [c_void_p, c_char_p, c_int, c_int]),
    ("ssh_channel_request_shell", c_int, [c_void_p]),
    ("ssh_channel_write", c_int, [c_void_p, c_char_p, c_uint]),
    ("ssh_channel_send_eof", c_int, [c_void_p]),
    ("ssh_channel_read", c_int, [c_void_p, c_void_p, c_uint, c_int]),
    ("ssh_channel_get_exit_status", c_int, [c_void_p]),
):
    function = getattr(ssh, name)
    function.restype, function.argtypes = answer, arguments

# libssh.h
HOST, PORT, USER, TIMEOUT, KEY_EXCHANGE, PROCESS_CONFIG, REKEY_DATA = 0, 1, 4, 9, 24, 38, 39
RSA, ECDSA_P256, ED25519 = 2, 8, 5
SUCCESS, INFO = 0, 3

port = int(sys.argv[1])


def check(session, code):
    if code != 0:
        raise RuntimeError(ssh.ssh_get_error(session).decode())


def new_session(user="ann", kex=None, rekey_bytes=None):
    """None where it does not know that key exchange."""
    session = ssh.ssh_new()
    plain = byref(c_bool(False))
    ssh.ssh_options_set(session, PROCESS_CONFIG, ctypes.cast(plain, c_void_p))
    ssh.ssh_options_set(session, HOST, b"127.0.0.1")
    ssh.ssh_options_set(session, PORT, ctypes.cast(byref(c_uint(port)), c_void_p))
    ssh.ssh_options_set(session, TIMEOUT, ctypes.cast(byref(c_long(20)), c_void_p))
    ssh.ssh_options_set(session, USER, user.encode())
    if rekey_bytes:
        check(session, ssh.ssh_options_set(session, REKEY_DATA, ctypes.cast(byref(c_uint64(rekey_bytes)), c_void_p)))
    if kex and ssh.ssh_options_set(session, KEY_EXCHANGE, kex.encode()) != 0:
        ssh.ssh_free(session)
        return None
    check(session, ssh.ssh_connect(session))
    return session


def end(session):
    ssh.ssh_disconnect(session)
    ssh.ssh_free(session)


def read_all(channel):
    parts = []
    buffer = ctypes.create_string_buffer(65536)
    while (count := ssh.ssh_channel_read(channel, buffer, len(buffer), 0)) > 0:
        parts.append(buffer.raw[:count])
    if count < 0:
        raise RuntimeError("the output broke off")
    return b"".join(parts)


def run(session, command, data=b"", terminal=None):
    channel = ssh.ssh_channel_new(session)
    check(session, ssh.ssh_channel_open_session(channel))
    if terminal:
        check(session, ssh.ssh_channel_request_pty_size(channel, b"xterm", *terminal))
    check(session, ssh.ssh_channel_request_exec(channel, command) if command else ssh.ssh_channel_request_shell(channel))
    if data and ssh.ssh_channel_write(channel, data, len(data)) != len(data):
        raise RuntimeError("the input was not taken")
    if not terminal:
        ssh.ssh_channel_send_eof(channel)
    output = read_all(channel)
    status = ssh.ssh_channel_get_exit_status(channel)
    ssh.ssh_channel_free(channel)
    return output, status


def by_password(**options):
    session = new_session(**options)
    if session:
        check(session, ssh.ssh_userauth_password(session, None, b"right"))
    return session


def new_key(kind, bits):
    key = c_void_p()
    if ssh.ssh_pki_generate(kind, bits, byref(key)) != 0:
        raise RuntimeError("no key was made")
    return key


result = {}

exchanged = []
for method in sys.argv[2].split(","):
    session = by_password(kex=method)
    if not session:
        continue
    if run(session, b"exit 3")[1] == 3:
        exchanged.append(method)
    end(session)
result["key exchanges"] = exchanged

session = new_session()
while (code := ssh.ssh_userauth_kbdint(session, None, None)) == INFO:
    for at in range(ssh.ssh_userauth_kbdint_getnprompts(session)):
        ssh.ssh_userauth_kbdint_setanswer(session, at, b"code")
result["questions"] = code == SUCCESS
end(session)

session = new_session()
key = new_key(ED25519, 0)
refused = ssh.ssh_userauth_publickey(session, None, key)
result["password after a key"] = refused != SUCCESS and ssh.ssh_userauth_password(session, None, b"right") == SUCCESS
end(session)

for name, kind, bits in (("ed25519", ED25519, 0), ("ecdsa", ECDSA_P256, 0), ("rsa", RSA, 2048)):
    session = new_session(user="key")
    result[name] = ssh.ssh_userauth_publickey(session, None, new_key(kind, bits)) == SUCCESS
    end(session)

session = by_password(rekey_bytes=1_000_000)
result["late exit"] = run(session, b"exec >&- 2>&-; sleep 0.3; exit 9")[1]
shell = run(session, None, b"stty size; exit 4\n", terminal=(91, 33))
result["shell"] = [b"33 91" in shell[0], shell[1]]
result["bytes here"] = len(run(session, b"head -c 5000000 /dev/zero")[0])
result["bytes there"] = int(run(session, b"wc -c", bytes(5_000_000))[0])
end(session)
print(json.dumps(result))
