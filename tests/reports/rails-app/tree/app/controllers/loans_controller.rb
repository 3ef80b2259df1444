class LoansController < ApplicationController
  def create
    tool = Tool.find(params[:tool_id])
    tool.loans.create!(member: current_member, started_on: Date.current)
    redirect_to tool
  end

  def update
    Loan.find(params[:id]).update!(returned_on: Date.current)
    redirect_to loans_path
  end
end
