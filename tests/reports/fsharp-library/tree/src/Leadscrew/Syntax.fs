/// The syntax tree of G-code.
namespace Leadscrew

/// A letter and its number, as in X10.
type Word = { Letter: char; Value: decimal }

/// One line of a program.
type Block = { Number: int option; Words: Word list; Comment: string option }
