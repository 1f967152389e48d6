class HttpWaitStrategy:
    def __init__(self, port: int, path: str) -> None:
        self.port = port
        self.path = path

    def for_status_code(self, status: int) -> 'HttpWaitStrategy':
        assert status == 200
        return self
