# Writes a friendly letter to everybody whose tool is three weeks late.
class LateLetterJob < ActiveJob::Base
  queue_as :letters

  def perform
    Loan.open.select { |l| l.days_late >= 21 }.each { |l| LetterMailer.late(l).deliver_later }
  end
end
