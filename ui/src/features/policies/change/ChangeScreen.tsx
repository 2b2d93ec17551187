import { Button, Container, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { usePolicyRead, useProduct, useProfile } from '../../../api/hooks';
import { useAdjustments } from '../../../api/policies/policy';
import type { PolicyRead, PolicyTerm } from '../../../api/policies/policyTypes';
import type { Product } from '../../../form/types';
import { showSnackbar } from '../../../lib/messages/snackbar';
import { paths } from '../../../lib/routes/paths';
import { askToLogin } from '../../../shared/login/loginDialog';
import { usePerson } from '../../../shared/login/usePerson';
import { AppLink } from '../../../ui/basics/AppLink';
import { FormLoadError } from '../../../ui/errors/FormLoadError';
import { LoadError } from '../../../ui/errors/LoadError';
import { ContactLine, MessagePage } from '../../../ui/feedback/MessagePage';
import { PageSkeleton } from '../../../ui/feedback/PageSkeleton';
import { ADJUSTMENT } from './adjustments';
import { ChangeEditor } from './form/ChangeEditor';
import { SAVED, useChange } from './form/useChange';
import { NewPrice } from './price/NewPrice';
import { policyTasks, TASK } from './tasks/tasks';

/** Shows the page to change a policy: first the form, then the price to accept or decline. */
export function ChangeScreen({ uuid }: { uuid: string }) {
  const { data: read, error, mutate } = usePolicyRead(uuid);
  const product = useProduct(read?.info.product_identifier ?? null);

  if (!read) {
    if (error) return <LoadError what="policy" error={error} onRetry={() => mutate()} />;
    return <PageSkeleton label="Loading your policy" size={1140} />;
  }
  if (!product.data) {
    if (product.error) {
      return <FormLoadError read={product} />;
    }
    return <PageSkeleton label="Loading your policy" size={1140} />;
  }
  if (!read.policy) return null;
  return (
    // After a change the policy has a new revision, so the form starts again.
    <Changing key={read.info.revision_id} read={read} policy={read.policy} product={product.data} />
  );
}

interface Props {
  read: PolicyRead;
  policy: PolicyTerm;
  product: Product;
}

function Changing({ read, policy, product }: Props) {
  const { uuid } = read.info;
  const [params, setParams] = useSearchParams();
  const adjustmentId = params.get(ADJUSTMENT);
  const [tasks] = useState(() => policyTasks(product.form, read, policy));
  const task = tasks.find(({ id }) => id === params.get(TASK));
  const { data: profile, error: profileError } = useProfile();
  const person = usePerson(profile);
  const adjustments = useAdjustments(profile ? uuid : null);
  // The address holds the id of the priced change. So Back leads to the form, and a link can lead
  // to the price.
  const show = (adjustment: string | null) =>
    setParams(
      { ...(task && { [TASK]: task.id }), ...(adjustment && { [ADJUSTMENT]: adjustment }) },
      { preventScrollReset: true },
    );
  const change = useChange({
    product,
    read,
    policy,
    onPriced: (adjustment) => show(adjustment.adjustment_id),
  });

  // In a task, a saved change without a new price has the same confirmation as a priced change.
  const isConfirmed = task !== undefined && change.saved === 'all' && !adjustments.error;
  const applied = isConfirmed && adjustments.data?.find(({ status }) => status === 'applied');
  // No message appears beside the confirmation. On a phone the message would cover the heading.
  const isMessageDue = change.saved !== null && !(isConfirmed && (applied || !adjustments.data));
  useEffect(() => {
    if (isMessageDue) showSnackbar(SAVED);
  }, [isMessageDue]);

  if (profile === null && !person) return <LogInToChange uuid={uuid} />;
  if (adjustmentId) {
    const adjustment = adjustments.data?.find((each) => each.adjustment_id === adjustmentId);
    if (adjustment) {
      return (
        <Container size={1140}>
          <NewPrice
            key={adjustment.adjustment_id}
            adjustment={adjustment}
            read={read}
            onBack={() => show(null)}
          />
        </Container>
      );
    }
    if (!adjustments.data && !adjustments.error) {
      return <PageSkeleton label="Loading your new price" />;
    }
    return <NoPrice uuid={uuid} onBack={() => show(null)} />;
  }
  if (isConfirmed && !adjustments.data) return <PageSkeleton label="Loading your change" />;
  if (applied) {
    return (
      <Container size={1140}>
        <NewPrice adjustment={applied} read={read} onBack={() => show(null)} />
      </Container>
    );
  }
  if (!policy.can.change) return <NoChange uuid={uuid} policy={policy} />;
  const hasAccountAddress = params.get('address') === 'account';
  if (hasAccountAddress && profile === undefined && !profileError) {
    return <PageSkeleton label="Loading your policy" size={1140} />;
  }
  return (
    <Container size={1140}>
      <ChangeEditor
        change={change}
        read={read}
        policy={policy}
        info={product.info}
        task={task}
        newAddress={hasAccountAddress ? profile : null}
        onShowAll={() => setParams({}, { preventScrollReset: true })}
      />
    </Container>
  );
}

function LogInToChange({ uuid }: { uuid: string }) {
  return (
    <MessagePage
      title="Log in to change your cover"
      actions={
        <>
          <Button onClick={() => void askToLogin({ quote: uuid })}>Login</Button>
          <Button variant="default" component={AppLink} to={paths.policyView(uuid)}>
            View your policy
          </Button>
        </>
      }
    >
      <Text>
        You have bought this cover. It is changed from your account, so that nobody else can. New
        here? Our email about your purchase has the link to set a password.
      </Text>
      <ContactLine />
    </MessagePage>
  );
}

function NoPrice({ uuid, onBack }: { uuid: string; onBack: () => void }) {
  return (
    <MessagePage
      title="We couldn't find this change"
      actions={
        <>
          <Button onClick={onBack}>Start a change</Button>
          <Button variant="default" component={AppLink} to={paths.policyView(uuid)}>
            Back to your policy
          </Button>
        </>
      }
    >
      <Text>Your cover is as it was.</Text>
      <ContactLine />
    </MessagePage>
  );
}

function NoChange({ uuid, policy }: { uuid: string; policy: PolicyTerm }) {
  const scheduledChange = policy.scheduled_change;
  return (
    <MessagePage
      title={scheduledChange ? 'A change is coming already' : "This policy can't be changed here"}
      actions={
        <Button component={AppLink} to={paths.policyView(uuid)}>
          View your policy
        </Button>
      }
    >
      <Text>{policy.why_not?.change ?? 'Please call us and we will see what we can do.'}</Text>
      <ContactLine />
    </MessagePage>
  );
}
