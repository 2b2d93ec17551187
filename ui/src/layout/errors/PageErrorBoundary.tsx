import { Component, type ComponentType, type ReactNode } from 'react';
import type { Location } from 'react-router';

interface Props {
  at: Location;
  /** Shown in place of what failed. */
  Failed: ComponentType<{ error: unknown }>;
  children: ReactNode;
}

interface State {
  at: Location;
  failed: { error: unknown } | null;
}

/** Catches what a page throws while it is drawn. Another address is tried anew. */
export class FailingPage extends Component<Props, State> {
  override state: State = { at: this.props.at, failed: null };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failed: { error } };
  }

  static getDerivedStateFromProps({ at }: Props, state: State): Partial<State> | null {
    return at === state.at ? null : { at, failed: null };
  }

  override render() {
    const { failed } = this.state;
    const { Failed, children } = this.props;
    return failed ? <Failed error={failed.error} /> : children;
  }
}
