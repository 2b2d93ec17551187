//! A socket that reports reads and writes to its connection.

use std::io::{IoSlice, Result};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use crate::api::http::server::connection::Connection;

pub(super) struct CountedStream {
    pub(super) socket: TcpStream,
    pub(super) connection: Arc<Connection>,
}

impl CountedStream {
    fn count_written(&self, result: Poll<Result<usize>>) -> Poll<Result<usize>> {
        if let Poll::Ready(Ok(bytes @ 1..)) = result {
            self.connection.has_written(bytes);
        }
        result
    }
}

impl AsyncRead for CountedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        let before = buffer.filled().len();
        let result = Pin::new(&mut self.socket).poll_read(cx, buffer);
        if buffer.filled().len() > before {
            self.connection.has_read();
        }
        result
    }
}

impl AsyncWrite for CountedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        let result = Pin::new(&mut self.socket).poll_write(cx, bytes);
        self.count_written(result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let result = Pin::new(&mut self.socket).poll_write_vectored(cx, slices);
        self.count_written(result)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    // hyper flushes the socket after it has written its whole buffer.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        let result = Pin::new(&mut self.socket).poll_flush(cx);
        if let Poll::Ready(Ok(())) = result {
            self.connection.has_sent_all();
        }
        result
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(cx)
    }
}
