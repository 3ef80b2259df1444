variable "name" { type = string }
variable "image" { type = string }
variable "vpc" { type = string }
variable "subnet" { type = list(string) }
