import { Container } from '@mantine/core';
import { OtherCover } from '../components/cover/OtherCover';
import { PortalScreen } from '../features/account/portal/PortalScreen';
import { FRONT_PRODUCT } from '../lib/routes/products';

export default function Portal() {
  return (
    <>
      <PortalScreen />
      <Container size={1140}>
        <OtherCover except={FRONT_PRODUCT} />
      </Container>
    </>
  );
}
