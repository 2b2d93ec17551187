import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { ApiError } from '../../api/client';
import { useSite } from '../../api/hooks';
import { recordError } from '../../lib/errors';
import { NOT_FOUND, PageError } from '../../lib/routes/guards';
import { paths } from '../../lib/routes/paths';
import { useDocumentTitle } from '../../lib/routes/title';
import { Mail, Phone } from '../contact/Contact';
import { RecentErrors } from './RecentErrors';

interface ErrorPageText {
  status: number;
  title: string;
}

/** Returns the status and the title of the error page. An error without a status counts as 500. */
export function describe(error: unknown): ErrorPageText {
  if (error instanceof PageError) return { status: error.status, title: error.message };
  const status = error instanceof ApiError ? error.status : 500;
  return { status, title: status === 404 ? NOT_FOUND : 'Something went wrong' };
}

function ErrorTexts({ status }: { status: number }) {
  const { data: site } = useSite();
  const phone = site && <Phone number={site.phone} />;
  const mail = site && <Mail address={site.email} />;
  if (status === 404) {
    return (
      <>
        <Text size="lg">
          Sorry, it looks like there is a problem. The requested page could not be found.
        </Text>
        {site && (
          <Text size="lg">
            If you need a hand, call our team on {phone} or email {mail}.
          </Text>
        )}
      </>
    );
  }
  if (status === 500) {
    return (
      <Text size="lg">
        Oops, something went wrong! Please try again{site && <> or call our team on {phone}</>}
      </Text>
    );
  }
  return (
    <Text size="lg">
      An error occurred. Please try again
      {site && (
        <>
          , call our team on {phone} or email {mail}
        </>
      )}
      .
    </Text>
  );
}

export function ErrorBody({ error }: { error: unknown }) {
  const { status, title } = describe(error);
  useDocumentTitle(title);

  useEffect(() => {
    // A missing page is no failure. The API client, not this page, records the errors of calls.
    if (status === 404 || error instanceof ApiError) return;
    recordError({ message: error instanceof Error ? error.message : title, status });
  }, [error, status, title]);

  return (
    <Stack gap="sm" py="3rem">
      {status > 0 && (
        <Text
          w="fit-content"
          px="sm"
          fw={700}
          size="sm"
          bg="amber.5"
          c="var(--layby-ink)"
          bdrs="xl"
          aria-hidden="true"
        >
          {status}
        </Text>
      )}
      <Title order={1}>{title}</Title>
      <ErrorTexts status={status} />
      <Group mt="lg">
        {/* The link loads a new document, so that no broken state remains. */}
        <Button component="a" href={paths.home()}>
          Go to the home page
        </Button>
        {status !== 404 && (
          <Button variant="default" onClick={() => window.location.reload()}>
            Try again
          </Button>
        )}
      </Group>
      {status !== 404 && <RecentErrors />}
    </Stack>
  );
}
