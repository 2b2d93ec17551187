import { Button } from '@mantine/core';
import { useLogout } from '../../api/session/useLogout';

export function LogoutButton({ size }: { size?: 'sm' }) {
  const { leave, leaving } = useLogout();
  return (
    <Button variant="default" size={size} onClick={leave} disabled={leaving}>
      Logout
    </Button>
  );
}
