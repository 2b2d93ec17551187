import { Button, Drawer, Group, VisuallyHidden } from '@mantine/core';
import '@mantine/core/styles/Drawer.layer.css';
import { useDisclosure } from '@mantine/hooks';
import { clearSnackbar } from '../../../lib/messages/snackbar';
import { Icon } from '../../../ui/icons/Icon';
import { PremiumFigure } from '../price/PremiumFigure';
import { PayButton } from '../steps/StepButtons';
import classes from './PriceBar.module.css';
import { Summary, type SummaryProps } from './Summary';

interface Props extends SummaryProps {
  /** The button to pay, if the step's own button is off the screen. */
  paying?: { amount: number | null; isWaiting: boolean; onPay: () => void };
}

/**
 * Shows the bar with the price at the bottom of a narrow screen. The bar's button opens the
 * summary.
 */
export function PriceBar({ paying, ...props }: Props) {
  const [opened, { open, close }] = useDisclosure(false);
  const editCover = props.onEditCover;
  return (
    <>
      <div
        className={`screenOnly ${classes.bar}`}
        data-price-bar
        data-paying={paying !== undefined || undefined}
      >
        <div className={classes.price}>
          <p className={classes.label}>Your Premium</p>
          {props.price.premium || props.price.error ? (
            <PremiumFigure {...props.price} compact />
          ) : (
            <p className={classes.none}>
              {props.price.pending ? 'Working it out' : 'Choose your cover'}
            </p>
          )}
        </div>
        <Button
          variant="default"
          size="sm"
          className={classes.open}
          rightSection={<Icon name="up" size={18} />}
          aria-haspopup="dialog"
          onClick={() => {
            // The snackbar would cover the summary's heading and its Close button.
            clearSnackbar();
            open();
          }}
        >
          {paying ? <VisuallyHidden>Summary</VisuallyHidden> : 'Summary'}
        </Button>
        {paying && <PayButton {...paying} />}
      </div>
      <Drawer.Root opened={opened} onClose={close} position="bottom" size="100%">
        <Drawer.Content>
          <Drawer.Body className={classes.body}>
            <Group justify="space-between" mb="md">
              <Drawer.Title fz="1.125rem" fw={650}>
                Your cover
              </Drawer.Title>
              <Drawer.CloseButton size={44} aria-label="Close" />
            </Group>
            <Summary
              {...props}
              onEditCover={
                editCover &&
                (() => {
                  close();
                  editCover();
                })
              }
            />
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    </>
  );
}
