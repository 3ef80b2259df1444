variable "name" { type = string }
variable "subnets" { type = list(string) }
variable "size" { type = string }
variable "password" {
  type      = string
  sensitive = true
}
