plugin "aws" {
  enabled = true
  version = "0.30.0"
}
