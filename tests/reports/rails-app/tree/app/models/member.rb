# Somebody who may borrow.
class Member < ApplicationRecord
  has_many :loans

  validates :email, presence: true, uniqueness: true
end
