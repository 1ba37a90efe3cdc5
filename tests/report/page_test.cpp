// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sturm/core/error.h"

namespace sturm {
namespace {

const std::string page = "<html><!--STURM-STUDY--><p>between</p><!--STURM-VOLUMES--></html>";

TEST(Page, NoTextOfAStudyCanEndItsElement) {
  const std::string hostile =
      "</script><script>alert(1)</script><!-- ]]> & \xe2\x80\xa8 \xe2\x80\xa9 \\u003c \"'\n\t\x01 \xff bad";
  const nlohmann::ordered_json study = {{hostile, hostile}, {"list", {hostile, 1.5, nullptr}}};
  const std::string text = inert_json(study);
  for (const char* never : {"<", ">", "&", "\xe2\x80\xa8", "\xe2\x80\xa9", "\n"})
    EXPECT_EQ(text.find(never), std::string::npos) << never;
  // What comes back is what went in, but for the byte that is no UTF-8.
  const auto back = nlohmann::ordered_json::parse(text);
  std::string expected = hostile;
  expected.replace(expected.find('\xff'), 1, "\xef\xbf\xbd");
  EXPECT_EQ(back.at(expected), expected);
  EXPECT_EQ(back.at("list")[1], 1.5);
}

TEST(Page, TheTwoPlacesAreFilledInEitherOrder) {
  const std::string filled = fill_page(page, {{"a", 1}}, {{"map-1", "QUJD"}});
  EXPECT_EQ(filled,
            "<html><script type=\"application/json\" id=\"study\">{\"a\":1}</script><p>between</p>"
            "<script type=\"text/plain\" id=\"volume-map-1\">QUJD</script>\n</html>");
  const std::string turned = fill_page("<!--STURM-VOLUMES-->x<!--STURM-STUDY-->", {{"a", 1}}, {});
  EXPECT_EQ(turned, "x<script type=\"application/json\" id=\"study\">{\"a\":1}</script>");
}

TEST(Page, APageWithoutItsPlacesIsRefused) {
  EXPECT_THROW(fill_page("<html></html>", {}, {}), Error);
  EXPECT_THROW(fill_page(page + "<!--STURM-STUDY-->", {}, {}), Error);
}

TEST(Page, Base64) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("\xfb\xef\xff"), "++//");
}

}  // namespace
}  // namespace sturm
