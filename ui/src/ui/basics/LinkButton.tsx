import { Anchor, type AnchorProps } from '@mantine/core';
import type { ComponentProps } from 'react';

/** Shows a button that looks like a link. */
export function LinkButton(props: AnchorProps & Omit<ComponentProps<'button'>, keyof AnchorProps>) {
  return <Anchor component="button" type="button" {...props} />;
}
