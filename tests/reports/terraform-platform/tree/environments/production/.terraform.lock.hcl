# This file is maintained automatically by "terraform init".
# Manual edits may be lost in future updates.

provider "hashicorp/aws" {
  version     = "5.48.0"
  constraints = "~> 5.40"
}
