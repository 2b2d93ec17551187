import { Badge, Container, Stack, Text, Title } from '@mantine/core';
import { Navigate } from 'react-router';
import { usePolicyRead, useProduct } from '../../api/hooks';
import { type QuoteInfo, type QuoteRead, STATUS } from '../../api/types';
import { CoverHelp } from '../../components/CoverHelp';
import { Panel } from '../../components/Panel';
import { PrintButton } from '../../components/PrintButton';
import { ReadFailed } from '../../components/ReadFailed';
import { Waiting } from '../../components/Waiting';
import { formatDate, formatDateTime } from '../../lib/dates';
import { useDocumentTitle } from '../../lib/title';
import { Answers } from './Answers';
import classes from './Policy.module.css';
import { PriceTable } from './PriceTable';

function Heading({ info }: { info: QuoteInfo }) {
  return (
    <div className={classes.heading}>
      <div>
        <Title order={1}>Policy ID: {info.custom_id}</Title>
        <Text c="dimmed">{info.product_title}</Text>
      </div>
      <div className={classes.tools}>
        <Badge size="lg" tt="none" color={info.status_id === STATUS.live ? 'green' : 'ink.6'}>
          {info.status_title}
        </Badge>
        <PrintButton label="Print this policy" />
      </div>
    </div>
  );
}

function Dates({ policy }: { policy: NonNullable<QuoteRead['policy']> }) {
  const rows = [
    ['Your Cover Dates', `${formatDate(policy.inception)} to ${formatDate(policy.expiry)}`],
    ['Cover begins', formatDateTime(policy.cover_begins)],
    ['Bought', formatDateTime(policy.purchased)],
    ['Renews by itself', policy.auto_renew ? 'Yes' : 'No'],
  ] as const;
  return (
    <Panel title="Dates">
      <dl className={classes.facts}>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

export function PolicyScreen({ uuid }: { uuid: string }) {
  const { data: read, error, mutate } = usePolicyRead(uuid);
  const { data: product } = useProduct(read?.info.product_identifier ?? null);
  useDocumentTitle(read ? `Policy ${read.info.custom_id}` : 'Your policy');

  if (!read) {
    if (error) return <ReadFailed what="policy" error={error} onRetry={() => mutate()} />;
    return <Waiting label="Loading your policy" size={1140} />;
  }
  const { info, policy } = read;
  // The same uuid is a quote until it is bought.
  if (!policy) return <Navigate to={`/quote/edit/${uuid}`} replace />;
  return (
    <Container size={1140}>
      <Stack gap="lg">
        <Heading info={info} />
        <div className={classes.columns}>
          <div className={classes.column}>
            <Panel title="Your cover">
              <ul className={classes.lines}>
                {info.summary.map((line) => (
                  <li key={line.code}>{line.text}</li>
                ))}
              </ul>
            </Panel>
            {product && <Answers form={product.form} read={read} />}
            {info.price && <PriceTable price={info.price} paid={policy.paid} />}
          </div>
          <div className={classes.column}>
            {info.status_id === STATUS.live && (
              <CoverHelp
                product={info.product_identifier}
                title="Broken down?"
                begins={policy.cover_begins}
                reference={info.custom_id}
              />
            )}
            <Dates policy={policy} />
          </div>
        </div>
      </Stack>
    </Container>
  );
}
