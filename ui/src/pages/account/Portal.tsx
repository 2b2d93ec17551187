import { Container } from '@mantine/core';
import { PortalScreen } from '../../features/account/portal/PortalScreen';
import { FRONT_PRODUCT } from '../../lib/routes/products';
import { OtherCover } from '../../shared/cover/OtherCover';

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
