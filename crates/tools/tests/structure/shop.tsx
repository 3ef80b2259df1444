import React, { useState } from "react";

type Props = { name: string };

/** A button that sells tea. */
export const Button: React.FC<Props> = ({ name }) => {
  const [open, setOpen] = useState(false);
  return open && name ? <b onClick={() => setOpen(false)}>{name}</b> : <i />;
};

export default function App() { return <Button name="tea" />; }
