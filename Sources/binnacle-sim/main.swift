import Glibc

print("not built yet")
