import { Button, Container, Stack, Text, Title } from '@mantine/core';
import { useSite } from '../../../api/hooks';
import { paths } from '../../../lib/routes/paths';
import { signOnAddress } from '../../../lib/session/signOn';
import { ContactBlock } from '../../../ui/contact/ContactBlock';
import { DocumentsCard } from '../documents/DocumentsCard';

/** Shows the documents of a policy to a reader whose mailed link opens nothing else. */
export function PolicyFiles({ uuid }: { uuid: string }) {
  const { data: site } = useSite();
  const login = signOnAddress(site?.login_redirect ?? paths.dashboard(), paths.policyView(uuid));
  return (
    <Container size={720}>
      <Stack gap="lg">
        <Title order={1}>Your documents</Title>
        <Text>
          Here are the documents of your policy. To see the policy, change it or cancel it, please
          log in.
        </Text>
        <DocumentsCard uuid={uuid} live />
        <Button component="a" href={login} className="screenOnly">
          Log in
        </Button>
        <ContactBlock />
      </Stack>
    </Container>
  );
}
