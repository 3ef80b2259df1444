# The friendly letters.
class LetterMailer < ActionMailer::Base
  default from: "shelf@commonplace.example"

  def late(loan)
    @loan = loan
    mail to: loan.member.email, subject: "Our #{loan.tool.name} misses us"
  end
end
