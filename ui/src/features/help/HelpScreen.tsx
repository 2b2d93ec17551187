import { Container, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useHelp, useSite } from '../../api/hooks';
import { telHref } from '../../lib/format/phone';
import { useDocumentTitle } from '../../lib/routes/title';
import { ContactBlock } from '../../ui/contact/ContactBlock';
import { SectionSkeleton } from '../../ui/feedback/PageSkeleton';
import { RetryLine } from '../../ui/feedback/RetryLine';
import { PhoneIcon } from '../../ui/icons/icons';
import classes from './Help.module.css';
import { matchingHelp } from './matchingHelp';

/** Shows the questions and answers about the products, with a search, and the numbers to call. */
export function HelpScreen() {
  useDocumentTitle('Help');
  const { data: site } = useSite();
  const read = useHelp();
  const [search, setSearch] = useState('');
  const found = matchingHelp(read.data ?? [], search);
  const count = found.reduce((sum, product) => sum + product.questions.length, 0);
  const isSearching = search.trim() !== '';
  return (
    <Container size={720}>
      <Stack gap="lg">
        <Title order={1}>Help</Title>
        {site && (
          <a href={telHref(site.assistance_phone)} className={`call ${classes.call}`}>
            <PhoneIcon />
            <span>
              Broken down? <span className="number">Call {site.assistance_phone}</span>
            </span>
          </a>
        )}
        {/* biome-ignore lint/a11y/useSemanticElements: some browsers do not know <search> */}
        <div role="search" className="screenOnly">
          <TextInput
            label="Search the questions"
            type="search"
            maxLength={100}
            autoComplete="off"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <Text role="status" size="sm" c="dimmed" mt={4}>
            {isSearching && read.data && countText(count)}
          </Text>
        </div>
        {read.error && !read.data && (
          <RetryLine text="The questions could not be loaded." read={read} />
        )}
        {!read.error && !read.data && (
          <SectionSkeleton label="Loading the questions" height={400} />
        )}
        {found.map(({ identifier, product_title: title, questions }) => (
          <section key={identifier} aria-labelledby={`help-${identifier}`}>
            <Title order={2} id={`help-${identifier}`} mb="sm">
              {title}
            </Title>
            {questions.map(({ question, answer }) => (
              // A new key opens or closes each answer when the search begins or ends.
              <details
                key={`${isSearching} ${question}`}
                open={isSearching}
                className={`panel ${classes.question}`}
              >
                <summary>{question}</summary>
                <p>{answer}</p>
              </details>
            ))}
          </section>
        ))}
        <ContactBlock />
      </Stack>
    </Container>
  );
}

function countText(count: number): string {
  if (count === 0) return 'No question has these words. Try others, or call us.';
  return count === 1 ? '1 question' : `${count} questions`;
}
