import { Button } from '@mantine/core';
import { PrintIcon } from '../icons/icons';

export function PrintButton({ label }: { label: string }) {
  return (
    <Button
      variant="default"
      className="screenOnly"
      leftSection={<PrintIcon />}
      onClick={() => window.print()}
    >
      {label}
    </Button>
  );
}
