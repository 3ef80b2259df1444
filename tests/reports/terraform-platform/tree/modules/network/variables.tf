variable "name" {
  type = string
}

variable "cidr" {
  type        = string
  description = "Addresses of the network"
}
