let version = "2.3.1"
