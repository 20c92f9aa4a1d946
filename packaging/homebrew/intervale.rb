# SPDX-License-Identifier: Apache-2.0
# Never built: it was written without Homebrew.  Say so, or remove this line, when you have.
class Intervale < Formula
  desc "Evaluation with intervals for search, classification and review"
  version "0.4.0"
  # The archive of `make dist`, and its line of SHA256SUMS:
  url "file://#{__dir__}/../../build/dist/intervale-0.4.0.tar.zst"
  license "Apache-2.0"

  depends_on "boost" => :build
  depends_on "cmake" => :build
  depends_on "kissfft" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "random123" => :build
  depends_on "jansson"
  depends_on "libevent"
  depends_on "sqlite"
  depends_on "zstd"
  uses_from_macos "zlib"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DBUILD_TESTING=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match "precision", shell_output("#{bin}/intervale prf --counts 10,10,5")
  end
end
