
import socket, sys, time
def connect():
    for _ in range(400):
        try:
            s = socket.socket(socket.AF_UNIX); s.connect("socket"); return s
        except OSError:
            s.close(); time.sleep(0.005)
    sys.exit(9)
clients = [connect() for _ in range(2)]
for s in clients:
    s.sendall(b"add\n")
answers = sorted(int(s.recv(64) or b"0") for s in clients)
for s in clients:
    s.close()
sys.exit(0 if answers == [1, 2] else 1)
