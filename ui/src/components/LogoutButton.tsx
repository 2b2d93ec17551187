import { Button } from '@mantine/core';
import { useLogout } from '../api/useLogout';

export function LogoutButton() {
  const { leave, leaving } = useLogout();
  return (
    <Button variant="default" onClick={leave} disabled={leaving}>
      Logout
    </Button>
  );
}
