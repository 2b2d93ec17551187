import { Button, Drawer } from '@mantine/core';
import '@mantine/core/styles/Drawer.layer.css';
import { useDisclosure } from '@mantine/hooks';
import { Icon } from '../../components/icons/Icon';
import { clearSnackbar } from '../../lib/snackbar';
import { PremiumFigure } from './PremiumFigure';
import classes from './PriceBar.module.css';
import { Summary, type SummaryProps } from './Summary';

/** The bar with the price at the bottom of a phone's screen; a tap opens the summary. */
export function PriceBar(props: SummaryProps) {
  const [opened, { open, close }] = useDisclosure(false);
  const editCover = props.onEditCover;
  return (
    <>
      <div className={classes.bar} data-price-bar>
        <div>
          <p className={classes.label}>Your Premium</p>
          <PremiumFigure {...props.price} compact />
        </div>
        <Button
          variant="default"
          size="sm"
          rightSection={<Icon name="up" size={18} />}
          aria-haspopup="dialog"
          onClick={() => {
            // The snackbar would cover the summary's heading and its Close button.
            clearSnackbar();
            open();
          }}
        >
          Summary
        </Button>
      </div>
      <Drawer.Root opened={opened} onClose={close} position="bottom" size="100%">
        <Drawer.Content>
          <Drawer.Body className={classes.body}>
            <div className={classes.head}>
              <Drawer.Title className={classes.title}>Your cover</Drawer.Title>
              <Drawer.CloseButton size={44} aria-label="Close" />
            </div>
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
