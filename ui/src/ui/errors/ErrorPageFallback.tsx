import { Component, type ReactNode } from 'react';
import { paths } from '../../lib/routes/paths';

interface Props {
  children: ReactNode;
}

/** Shows its children. If their rendering fails, shows plain elements, which can't fail again. */
export class ErrorPageFallback extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div style={{ display: 'grid', gap: '1rem', padding: '4rem 1.5rem', textAlign: 'center' }}>
        <p>An error occurred while showing the error page</p>
        <p>
          <a href={paths.home()}>Go to the home page</a>
        </p>
      </div>
    );
  }
}
