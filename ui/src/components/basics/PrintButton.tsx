import { Button } from '@mantine/core';
import { PrintIcon } from '../icons/icons';

export function PrintButton({ label }: { label: string }) {
  return (
    <Button variant="default" leftSection={<PrintIcon />} onClick={() => window.print()}>
      {label}
    </Button>
  );
}
