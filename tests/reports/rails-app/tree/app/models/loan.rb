# A member has a tool from a day on, for two weeks.
class Loan < ApplicationRecord
  DAYS = 14

  belongs_to :tool
  belongs_to :member

  scope :open, -> { where(returned_on: nil) }

  def open?
    returned_on.nil?
  end

  def days_late(today = Date.current)
    return 0 unless open?

    [(today - started_on).to_i - DAYS, 0].max
  end
end
