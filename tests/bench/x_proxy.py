# SPDX-License-Identifier: GPL-2.0-or-later
"""x_proxy.py LISTEN SERVER: passes connections to one UNIX socket on to another, as
`ssh -R` does, until SIGTERM; prints "ready" once it listens."""
import os
import signal
import socket
import sys
import threading


def pump(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def main(listen, server):
    def end(*_):
        os.unlink(listen)
        os._exit(0)

    at = socket.socket(socket.AF_UNIX)
    at.bind(listen)
    signal.signal(signal.SIGTERM, end)
    at.listen()
    print("ready", flush=True)
    while True:
        client = at.accept()[0]
        far = socket.socket(socket.AF_UNIX)
        far.connect(server)
        for ends in ((client, far), (far, client)):
            threading.Thread(target=pump, args=ends, daemon=True).start()


main(*sys.argv[1:])
