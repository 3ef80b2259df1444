# A thing on the shelf.
class Tool < ApplicationRecord
  has_many :loans
  has_one_attached :photo, service: :photos

  validates :name, presence: true

  def available?
    loans.none?(&:open?)
  end
end
