import { Component, type ComponentType, type ReactNode } from 'react';
import type { Location } from 'react-router';

interface Props {
  location: Location;
  /** Shown in place of what failed. */
  Failed: ComponentType<{ error: unknown }>;
  children: ReactNode;
}

interface State {
  location: Location;
  failed: { error: unknown } | null;
}

/** Catches what a page throws while it is drawn. Another address is tried anew. */
export class PageErrorBoundary extends Component<Props, State> {
  override state: State = { location: this.props.location, failed: null };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failed: { error } };
  }

  static getDerivedStateFromProps({ location }: Props, state: State): Partial<State> | null {
    return location === state.location ? null : { location, failed: null };
  }

  override render() {
    const { failed } = this.state;
    const { Failed, children } = this.props;
    return failed ? <Failed error={failed.error} /> : children;
  }
}
