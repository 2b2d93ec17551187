import { Container } from '@mantine/core';
import { OtherCover } from '../components/OtherCover';
import { PortalScreen } from '../features/account/PortalScreen';

export default function Portal() {
  return (
    <>
      <PortalScreen />
      <Container size={960}>
        <OtherCover />
      </Container>
    </>
  );
}
